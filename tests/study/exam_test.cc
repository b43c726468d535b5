#include "study/exam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "study/make_question.h"
#include "study/template.h"
#include "support/test_data.h"

namespace podwright::exam_test {
namespace {

const Blueprint& associate() { return kBlueprints.front(); }

/// A pack of choices, an order and a match.
std::string pack_text(const std::string& objective, int choices) {
  std::string text = "{\"objective\":\"" + objective + "\",\"questions\":[";
  for (int i = 0; i < choices; ++i)
    text += "{\"id\":\"" + objective + "-c" + std::to_string(i) +
            "\",\"kind\":\"choice\",\"prompt\":\"Which?\",\"options\":[{\"text\":\"a\",\"right\":true,\"why\":\"so\"},"
            "{\"text\":\"b\",\"why\":\"no\"},{\"text\":\"c\",\"why\":\"no\"},{\"text\":\"d\",\"why\":\"no\"}],"
            "\"explanation\":\"Because.\",\"sources\":[\"s\"],\"difficulty\":1,\"level\":\"associate\",\"asks\":"
            "\"recall\",\"reviewed\":\"2026-11-22\"},";
  text += "{\"id\":\"" + objective +
          "-o\",\"kind\":\"order\",\"prompt\":\"Order.\",\"steps\":[{\"text\":\"one\"},{\"text\":\"two\"},{\"text\":"
          "\"three\"}],"
          "\"explanation\":\"Because.\",\"sources\":[\"s\"],\"difficulty\":2,\"level\":\"associate\",\"asks\":"
          "\"recall\",\"reviewed\":\"2026-11-22\"},";
  text += "{\"id\":\"" + objective +
          "-m\",\"kind\":\"match\",\"prompt\":\"Match.\",\"pairs\":[{\"left\":\"1\",\"right\":\"one\"},{\"left\":\"2\","
          "\"right\":\"two\"},{\"left\":\"3\",\"right\":\"three\"}],"
          "\"explanation\":\"Because.\",\"sources\":[\"s\"],\"difficulty\":2,\"level\":\"associate\",\"asks\":"
          "\"recall\",\"reviewed\":\"2026-11-22\"}";
  return text + "]}";
}

std::vector<WrittenQuestion> pack(const std::string& text) {
  const auto read = read_written_pack(*parse_json(text));
  EXPECT_TRUE(read) << read.error().front().path << " " << read.error().front().message;
  return read ? *read : std::vector<WrittenQuestion>{};
}

std::vector<WrittenQuestion> all_packs() {
  std::vector<WrittenQuestion> all;
  for (const std::string& objective : objectives_of(associate()))
    for (WrittenQuestion& one : pack(pack_text(std::string(objective), 4))) all.push_back(std::move(one));
  return all;
}

std::map<char, std::size_t> domains_of(const std::vector<Question>& exam) {
  std::map<char, std::size_t> counts;
  for (const Question& question : exam) ++counts[question.objective[0]];
  return counts;
}

TEST(Exam, HasFiftyQuestionsByTheWeightsAndNothingTwice) {
  const std::vector<WrittenQuestion> written = all_packs();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<Question> exam = make_exam(embedded_catalog_facts(), written, {.seed = seed});
    ASSERT_EQ(exam.size(), associate().questions);
    const std::map<char, std::size_t> expected{{'1', 19}, {'2', 20}, {'3', 11}};
    EXPECT_EQ(domains_of(exam), expected);
    std::set<std::string> used;
    std::set<std::string> objectives;
    std::size_t generated = 0;
    for (const Question& question : exam) {
      EXPECT_TRUE(used.insert(question.template_id.empty() ? question.id : question.template_id).second) << question.id;
      objectives.insert(question.objective);
      generated += question.template_id.empty() ? 0 : 1;
    }
    EXPECT_EQ(objectives.size(), objectives_of(associate()).size());
    EXPECT_GE(generated, 8U) << seed;
    EXPECT_LE(generated, 30U) << seed;
  }
}

/// The packs that the site and the program carry.
std::vector<WrittenQuestion> real_packs() {
  std::vector<WrittenQuestion> all;
  for (const TestFile& file : podwright_test_files())
    if (file.path.starts_with("core/study/data/written/"))
      for (WrittenQuestion& one : pack(std::string(file.text))) all.push_back(std::move(one));
  return all;
}

TEST(Exam, OfTheRealPacksHoldsForAThousandSeeds) {
  const std::vector<WrittenQuestion> written = real_packs();
  ASSERT_GE(written.size(), 300U);
  std::set<std::string> reached;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::vector<Question> exam = make_exam(embedded_catalog_facts(), written, {.seed = seed});
    ASSERT_EQ(exam.size(), associate().questions);
    std::set<std::string> used;
    std::set<std::string> objectives;
    for (const Question& question : exam) {
      const std::string card = question.template_id.empty() ? question.id : question.template_id;
      ASSERT_TRUE(used.insert(card).second) << card << " twice with seed " << seed;
      objectives.insert(question.objective);
      reached.insert(card);
    }
    const std::map<char, std::size_t> counts = domains_of(exam);
    for (const BlueprintDomain& domain : associate().domains) {
      const double asked = static_cast<double>(counts.at(domain.id.front()));
      EXPECT_NEAR(asked, domain.weight * static_cast<double>(associate().questions), 1.0) << seed;
    }
    const std::vector<std::string> all = objectives_of(associate());
    EXPECT_EQ(objectives, std::set<std::string>(all.begin(), all.end())) << seed;
  }
  for (const WrittenQuestion& one : written)
    EXPECT_EQ(reached.contains(one.question.id), associate().has(one.question.objective)) << one.question.id;
}

/// What an exam of the real one's form must be, whatever its seed.
void expect_like_the_exam(const std::vector<Question>& exam, const std::vector<WrittenQuestion>& written) {
  ASSERT_EQ(exam.size(), associate().questions);
  const std::map<char, std::size_t> expected{{'1', 19}, {'2', 20}, {'3', 11}};
  EXPECT_EQ(domains_of(exam), expected);
  std::set<std::string> objectives;
  std::set<std::string> used;
  std::size_t sums = 0;
  for (const Question& question : exam) {
    objectives.insert(question.objective);
    used.insert(question.id);
    EXPECT_EQ(question.level, QuestionLevel::associate) << question.id;
    EXPECT_TRUE(question.kind == QuestionKind::choice || question.kind == QuestionKind::choose_two ||
                question.kind == QuestionKind::read_drawing)
        << question.id;
    sums += question.asks == QuestionAsks::calculation || !question.template_id.empty() ? 1 : 0;
  }
  EXPECT_LE(sums, associate().calculations);
  EXPECT_EQ(used.size(), exam.size());
  EXPECT_EQ(objectives.size(), objectives_of(associate()).size());
  for (const WrittenQuestion& one : written)
    for (const std::string& other : one.like)
      EXPECT_FALSE(used.contains(one.question.id) && used.contains(other)) << one.question.id << " and " << other;
}

TEST(Exam, OfTheExamsFormHoldsForAThousandSeeds) {
  const std::vector<WrittenQuestion> written = real_packs();
  std::set<std::string> reached;
  std::size_t sums = 0;
  for (std::uint64_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const auto exam = make_exam(embedded_catalog_facts(), written, {.seed = seed, .form = ExamForm::exam});
    expect_like_the_exam(exam, written);
    for (const Question& question : exam) {
      reached.insert(question.template_id.empty() ? question.id : question.template_id);
      sums += question.asks == QuestionAsks::calculation ? 1 : 0;
    }
  }
  EXPECT_GT(sums, 1000U);
  for (const WrittenQuestion& one : written)
    if (one.question.level == QuestionLevel::associate && one.question.kind == QuestionKind::choice &&
        associate().has(one.question.objective)) {
      EXPECT_TRUE(reached.contains(one.question.id)) << one.question.id;
    }
}

// What a learner has seen in two exams does not come again in the third.
TEST(Exam, ThreeInARowRepeatNothing) {
  const std::vector<WrittenQuestion> written = real_packs();
  for (std::uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); seed += 3) {
    ExamWish wish{.seed = seed, .form = ExamForm::exam};
    for (; wish.seed < seed + 3; ++wish.seed) {
      SCOPED_TRACE(wish.seed);
      const auto exam = make_exam(embedded_catalog_facts(), written, wish);
      expect_like_the_exam(exam, written);
      for (const Question& question : exam)
        if (question.template_id.empty()) {
          EXPECT_TRUE(wish.seen.insert(question.id).second) << question.id;
        }
    }
  }
}

TEST(Blueprint, WeightsAndObjectivesFitTheirDomains) {
  for (const Blueprint& one : kBlueprints) {
    double sum = 0;
    std::size_t all = 0;
    const std::vector<std::size_t> counts = questions_of_domains(one);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      sum += one.domains[i].weight;
      all += counts[i];
      EXPECT_NEAR(static_cast<double>(counts[i]), one.domains[i].weight * static_cast<double>(one.questions),
                  0.5 + 1e-9);
    }
    EXPECT_NEAR(sum, 1.0, 1e-9) << one.id;
    EXPECT_EQ(all, one.questions) << one.id;
    for (const std::string& objective : objectives_of(one))
      EXPECT_TRUE(std::any_of(one.domains.begin(), one.domains.end(), [&](const BlueprintDomain& domain) {
        return domain.id == domain_of(objective);
      })) << objective;
  }
}

// A question of one exam that another asks too stands there under the other's objective.
TEST(Exam, OfAnotherBlueprintAsksBorrowedQuestionsUnderItsOwnObjective) {
  const Blueprint& other = kBlueprints.back();
  std::string text = pack_text("2.7", 2);
  text.replace(text.find("\"kind\""), 0, "\"also\":\"" + objectives_of(other)[1] + "\",");
  const std::vector<Question> exam =
      make_exam(embedded_catalog_facts(), pack(text), {.blueprint = &other, .form = ExamForm::exam});
  ASSERT_EQ(exam.size(), 1U);
  EXPECT_EQ(exam.front().id, "2.7-c0");
  EXPECT_EQ(exam.front().objective, objectives_of(other)[1]);
}

TEST(Exam, ReachesEveryTemplateAndEveryWrittenQuestion) {
  const std::vector<WrittenQuestion> written = all_packs();
  std::set<std::string> reached;
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    for (const Question& question : make_exam(embedded_catalog_facts(), written, {.seed = seed}))
      reached.insert(question.template_id.empty() ? question.id : question.template_id);
  for (const WrittenQuestion& one : written) EXPECT_EQ(reached.count(one.question.id), 1U) << one.question.id;
  for (const Template& of : question_templates())
    EXPECT_EQ(reached.count(std::string(of.id)), of.objective == "exam" ? 0U : 1U) << of.id;
}

TEST(Exam, OfGeneratedQuestionsAloneIsWholeToo) {
  const std::vector<Question> exam = make_exam(embedded_catalog_facts(), {}, {.seed = 3});
  EXPECT_EQ(exam.size(), associate().questions);
}

TEST(Exam, IsTheSameForTheSameSeed) {
  const std::vector<WrittenQuestion> written = all_packs();
  const std::vector<Question> once = make_exam(embedded_catalog_facts(), written, {.seed = 5});
  const std::vector<Question> again = make_exam(embedded_catalog_facts(), written, {.seed = 5});
  const std::vector<Question> other = make_exam(embedded_catalog_facts(), written, {.seed = 6});
  std::size_t different = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].id, again[i].id);
    EXPECT_EQ(once[i].answer, again[i].answer);
    different += once[i].id == other[i].id ? 0 : 1;
  }
  EXPECT_GT(different, 25U);
}

TEST(WrittenQuestion, ShowsItsOptionsInTheSeedsOrder) {
  const std::vector<WrittenQuestion> written = pack(pack_text("1.1", 1));
  std::set<std::size_t> places;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Question choice = shown_question(written[0], seed);
    ASSERT_EQ(choice.answer.size(), 1U);
    EXPECT_EQ(choice.options[choice.answer.front()].text, "a");
    places.insert(choice.answer.front());
    const Question order = shown_question(written[1], seed);
    std::string in_order;
    for (const std::size_t index : order.answer) in_order += order.options[index].text + " ";
    EXPECT_EQ(in_order, "one two three ");
    EXPECT_NE(order.options[0].text + order.options[1].text, "onetwo");
    const Question match = shown_question(written[2], seed);
    EXPECT_EQ(match.lefts[1] + match.options[match.answer[1]].text, "2two");
  }
  EXPECT_EQ(places.size(), 4U);
}

TEST(WrittenQuestion, IsRefusedByPath) {
  const auto problem = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const auto read = read_written_pack(*parse_json(text));
    return read ? std::string("none") : read.error().front().path;
  };
  const std::string good = pack_text("1.1", 1);
  EXPECT_EQ(problem(good, "1.1-c0", "1.2-c0"), "/questions/0/id");
  EXPECT_EQ(problem(good, "\"kind\":\"choice\"", "\"kind\":\"quiz\""), "/questions/0/kind");
  EXPECT_EQ(problem(good, "\"right\":true", "\"right\":false"), "/questions/0/options");
  EXPECT_EQ(problem(good, "\"difficulty\":1", "\"difficulty\":4"), "/questions/0/difficulty");
  EXPECT_EQ(problem(good, "\"prompt\":\"Which?\"", "\"prompt\":\"\""), "/questions/0/prompt");
  EXPECT_EQ(problem(good, "\"why\":\"so\"", "\"why\":1"), "/questions/0/options/0/why");
  EXPECT_EQ(problem(good, "1.1-m", "1.1-o"), "/questions/2/id");
  EXPECT_EQ(problem(good, "\"sources\":[\"s\"]", "\"sources\":[]"), "/questions/0/sources");
}

}  // namespace
}  // namespace podwright::exam_test
