// agon/report/effect_texts.h
//
// Answers about effects (agon/effect) for people and for programs: text, CSV, and JSON as docs/effects.schema.json
// describes it.
//
//   EffectAnswer answer;
//   std::string text = effect_text(answer, {});
//   std::string json = effect_json_text(answer);
#pragma once

#include <string>
#include <vector>

#include "agon/effect/effect.h"
#include "agon/effect/next_step.h"
#include "agon/report/table.h"

namespace agon {

std::string effect_text(const EffectAnswer& answer, const TextStyle& style);
std::string effect_json_text(const EffectAnswer& answer);

// `of` and `on`: which one was asked for; the other is "". `most`: rows to show, 0: all.
std::string effects_text(const std::vector<RankedEffect>& list, const std::string& of, const std::string& on,
                         size_t most, const TextStyle& style);
std::string effects_json_text(const std::vector<RankedEffect>& list, const std::string& of, const std::string& on);
std::string effects_csv(const std::vector<RankedEffect>& list);

std::string next_text(const NextAnswer& answer, const TextStyle& style);
std::string next_json_text(const NextAnswer& answer);

// The effects that report.html embeds, on one line: what the figures come to, never rows. `complete`: all pairs with an
// effect are among them.
std::string page_effects_json(const std::vector<EffectAnswer>& answers, bool complete);

}  // namespace agon
