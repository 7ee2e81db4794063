// One question to bitwuzla. No exception leaves this file, and nothing is printed.

#include <bitwuzla/cpp/bitwuzla.h>
#include <bitwuzla/cpp/parser.h>

#include <cstring>
#include <memory>
#include <sstream>

namespace {

class Limit : public bitwuzla::Terminator
{
 public:
  Limit(bool (*is_over)(void *), void *state) : d_is_over(is_over), d_state(state) {}
  bool terminate() override { return d_is_over(d_state); }

 private:
  bool (*d_is_over)(void *);
  void *d_state;
};

bitwuzla::Options &with_models(bitwuzla::Options &options)
{
  options.set(bitwuzla::Option::PRODUCE_MODELS, true);
  return options;
}

}  // namespace

struct Session
{
  Session(bool (*is_over)(void *), void *state)
      : limit(is_over, state), parser(terms, with_models(options), "smt2", &said)
  {
  }

  Limit limit;
  bitwuzla::TermManager terms;
  bitwuzla::Options options;
  std::ostringstream said;
  bitwuzla::parser::Parser parser;
};

extern "C" {

Session *brownout_bitwuzla_new(bool (*is_over)(void *), void *state)
{
  try
  {
    return new Session(is_over, state);
  }
  catch (...)
  {
    return nullptr;
  }
}

void brownout_bitwuzla_delete(Session *session)
{
  try
  {
    delete session;
  }
  catch (...)
  {
  }
}

// 1: there are values that make all true, 2: there are none, 0: nobody knows, -1: it failed.
int brownout_bitwuzla_check(Session *session, const char *text)
{
  try
  {
    session->parser.parse(text, true, false);
    auto solver = session->parser.bitwuzla();
    solver->configure_terminator(&session->limit);
    bitwuzla::Result result = solver->check_sat();
    // What a solver says that it was told to leave is no answer.
    switch (result)
    {
      case bitwuzla::Result::SAT: return 1;
      case bitwuzla::Result::UNSAT: return 2;
      default: return 0;
    }
  }
  catch (...)
  {
    return -1;
  }
}

// Writes the value of a term in binary digits; 0 if there is none or no room.
int brownout_bitwuzla_value(Session *session, const char *name, char *digits, size_t room)
{
  try
  {
    bitwuzla::Term term = session->parser.parse_term(name);
    std::string value =
        session->parser.bitwuzla()->get_value(term).value<std::string>(2);
    if (value.size() + 1 > room)
    {
      return 0;
    }
    std::memcpy(digits, value.c_str(), value.size() + 1);
    return 1;
  }
  catch (...)
  {
    return 0;
  }
}
}
