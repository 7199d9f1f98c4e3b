// Mixed tables from Tetrad's simulations, and what Tetrad's BOSS with the degenerate Gaussian score makes of them.
//
//   java -cp tetrad-lib-7.6.5-shaded.jar Tetrad.java cg 20 10 FOLDER
//
// draws tables 1 to 10 of 20 columns into FOLDER: 1.csv (the table), 1.truth.txt (the DAG it was drawn from),
// 1.tetrad.txt (the CPDAG that BOSS finds) and 1.tetrad.json (CPU seconds of score and search, no reading or drawing).
// A fifth word is the number of the first table, for tables that nobody has looked at yet.
// Simulations: cg (conditional Gaussian), lh (Lee and Hastie). The seed of a table is its number. All else is Tetrad's
// default, except: 1,000 rows, average degree 4, half of the columns with 3 levels, penalty 1, one thread.

import com.sun.management.OperatingSystemMXBean;
import edu.cmu.tetrad.algcomparison.graph.RandomForward;
import edu.cmu.tetrad.algcomparison.simulation.ConditionalGaussianSimulation;
import edu.cmu.tetrad.algcomparison.simulation.LeeHastieSimulation;
import edu.cmu.tetrad.algcomparison.simulation.Simulation;
import edu.cmu.tetrad.data.DataSet;
import edu.cmu.tetrad.data.DiscreteVariable;
import edu.cmu.tetrad.graph.Graph;
import edu.cmu.tetrad.search.Boss;
import edu.cmu.tetrad.search.PermutationSearch;
import edu.cmu.tetrad.search.score.DegenerateGaussianScore;
import edu.cmu.tetrad.util.Parameters;
import edu.cmu.tetrad.util.Params;
import edu.cmu.tetrad.util.RandomUtil;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

public class Tetrad {
  public static void main(String[] words) throws Exception {
    Path folder = Path.of(words[3]);
    Files.createDirectories(folder);
    int first = words.length > 4 ? Integer.parseInt(words[4]) : 1;
    for (int table = first; table < first + Integer.parseInt(words[2]); ++table) {
      RandomUtil.getInstance().setSeed(table);
      Simulation simulation =
          words[0].equals("cg")
              ? new ConditionalGaussianSimulation(new RandomForward())
              : new LeeHastieSimulation(new RandomForward());
      simulation.createData(parameters(Integer.parseInt(words[1]), table), true);
      DataSet data = (DataSet) simulation.getDataModel(0);
      write(data, folder.resolve(table + ".csv"));
      Files.writeString(folder.resolve(table + ".truth.txt"), simulation.getTrueGraph(0).toString());
      search(data, table, folder);
    }
    System.exit(0); // Tetrad keeps threads waiting
  }

  static Parameters parameters(int columns, int table) {
    Parameters p = new Parameters();
    p.set(Params.NUM_MEASURES, columns);
    p.set(Params.AVG_DEGREE, 4);
    p.set(Params.SAMPLE_SIZE, 1000);
    p.set(Params.PERCENT_DISCRETE, 50.0);
    p.set(Params.MIN_CATEGORIES, 3);
    p.set(Params.MAX_CATEGORIES, 3);
    p.set(Params.NUM_RUNS, 1);
    p.set(Params.RANDOMIZE_COLUMNS, true);
    p.set(Params.SEED, (long) table);
    return p;
  }

  static void write(DataSet data, Path file) throws Exception {
    try (PrintWriter out = new PrintWriter(file.toFile())) {
      out.println(String.join(",", data.getVariableNames()));
      for (int row = 0; row < data.getNumRows(); ++row) {
        String[] cells = new String[data.getNumColumns()];
        for (int column = 0; column < cells.length; ++column) {
          boolean category = data.getVariable(column) instanceof DiscreteVariable;
          cells[column] =
              category ? "l" + data.getInt(row, column) : Double.toString(data.getDouble(row, column));
        }
        out.println(String.join(",", cells));
      }
    }
  }

  static void search(DataSet data, int table, Path folder) throws Exception {
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    DegenerateGaussianScore score = new DegenerateGaussianScore(data, true);
    score.setPenaltyDiscount(1);
    Boss boss = new Boss(score);
    boss.setNumStarts(1);
    boss.setNumThreads(1);
    boss.setUseBes(false);
    PermutationSearch search = new PermutationSearch(boss);
    search.setSeed(table);
    Graph found = search.search();
    double seconds = (system.getProcessCpuTime() - before) * 1e-9;
    Files.writeString(folder.resolve(table + ".tetrad.txt"), found.toString());
    Files.writeString(folder.resolve(table + ".tetrad.json"), "{\"seconds\": " + seconds + "}\n");
  }
}
