// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <sstream>

#include "compaction/learn/judge/options.h"
#include "compaction/learn/judge/rungs.h"
#include "compaction/learn/see/page.h"

namespace compaction::judge {

namespace {

// The call in progress, which a signal handler reports.
std::string name_in_progress;
Trial trial_in_progress;
unsigned seconds_in_progress = 0;
Progress* progress = nullptr;  // progress of the program that is waited for; null: none

/// Maps the file that the waiting program names, if it does.
void find_progress() {
  const char* file = std::getenv(kProgressVariable);
  const int descriptor = file ? ::open(file, O_RDWR | O_CLOEXEC) : -1;
  if (descriptor < 0) return;
  void* mapped = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (mapped != MAP_FAILED) progress = static_cast<Progress*>(mapped);
}

void begin_trial(const Trial& trial) {
  trial_in_progress = trial;
  if (!progress) return;
  const std::string text = to_string(trial);
  progress->trial[text.copy(progress->trial, sizeof progress->trial - 1)] = '\0';
  ++progress->trials;
}

/// A copy of the standard output, which the judged function may close.
int kept_output = -1;

void keep_output() {
  constexpr int kLeast = 512;
  kept_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kLeast);
}

/// Opens the standard output again if it has been closed.
void restore_output() {
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0 && kept_output >= 0) dup2(kept_output, STDOUT_FILENO);
}

/// Writes what has been printed. Only then does the verdict count.
void end_progress() {
  if (std::fflush(stdout) == 0 && progress) progress->has_ended = true;
}

std::string fail_line(const char* kind, const std::string& name) {
  return "FAIL  " + name + ": " + kind + "\n";
}

/// Prints a verdict from a signal handler and ends the process. Not async-signal-safe: it assumes
/// that the interrupted code holds no lock of the C library.
[[noreturn]] void end_with(const char* kind, std::string text) {
  if (std::optional<Violation> violation = Watcher::instance().take_violation())
    text += "\n  before that: " + violation->text;
  const std::string verdict = fail_line(kind, name_in_progress) + "  " +
                              to_string(trial_in_progress) + "\n  " + text + "\n";
  restore_output();
  std::fputs(with_source_lines(verdict).c_str(), stdout);
  end_progress();
  _exit(1);
}

const void* interrupted_code(const void* context) {
#if defined(__x86_64__)
  const auto code = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  const auto code = static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  const uintptr_t code = 0;
#endif
  return reinterpret_cast<const void*>(uintptr_t(code) + 1);
}

void handle_signal(int signal, siginfo_t* info, void* context) {
  const std::string at = " at " + code_mark(interrupted_code(context));
  Watcher& watcher = Watcher::instance();
  if (signal == kSignalOfViolation) {
    const Violation violation = watcher.take_violation().value_or(Violation{});
    end_with(kMistakeNames[size_t(violation.kind)], violation.text);
  }
  if (signal == SIGSEGV && watcher.memory.contains(info->si_addr)) {
    const Allocation* array = watcher.memory.find(info->si_addr);
    end_with("access out of range", "host code accesses device memory" +
                                        (array ? ", " + array->name + "," : std::string()) + at +
                                        "; copy it with cudaMemcpy");
  }
  if (signal == SIGALRM)
    end_with("time-out", "the call did not end within " + std::to_string(seconds_in_progress) +
                             " s (--seconds); it was" + at);
  if (signal == SIGFPE) end_with("error", "division by zero" + at);
  if (signal == SIGSEGV || signal == SIGBUS)
    end_with("access out of range", "access to an invalid address" + at);
  end_with("error", "the call was killed by signal " + std::to_string(signal));
}

void install_handlers() {
  static char stack[1 << 16];  // for the handler, because the stack of a fiber may be full
  const stack_t alternative = {.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof(stack)};
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = handle_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, kSignalOfViolation})
    sigaction(signal, &action, nullptr);
  std::set_terminate([] { end_with("deadlock", "threads wait, but no thread makes progress"); });
}

void start_clock(unsigned seconds) {
  const itimerval limit = {.it_interval = {},
                           .it_value = {.tv_sec = time_t(seconds), .tv_usec = 0}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

template <class... Cells>
std::string cost_row(const std::string& name, const Cells&... cells) {
  constexpr int kNameWidth = 21, kCellWidth = 12;
  std::ostringstream row;
  row << "  " << std::left << std::setw(kNameWidth) << name << ' ' << std::right;
  ((row << ' ' << std::setw(kCellWidth) << cells), ...);
  return row.str() + "\n";
}

std::string cost_row(const std::string& name, const Counts& counts) {
  return cost_row(name, counts.launches, counts.barriers, counts.bytes_read, counts.bytes_written,
                  counts.bank_conflicts);
}

/// Without a failure, records a call of a few blocks.
void write_page(const Options& options, const std::string& name, const Function& function,
                const std::optional<Failure>& failure) {
  constexpr uint32_t kShownItems = 300;
  const Settings& settings = options.settings;
  Trial trial = {std::clamp(kShownItems, settings.min_items, settings.max_items),
                 Pattern::kRandom,
                 {.resident_blocks = 2, .in_turn = true}};
  std::string about = "The judge found no mistake.";
  if (failure) {
    trial = failure->trial;
    about = std::string("The judge found a mistake (") + kMistakeNames[size_t(failure->kind)] +
            "): " + with_source_lines(failure->text) + ".";
  }
  start_clock(settings.seconds);
  const simt::host::Trace trace = record(settings, function, trial, failure);
  start_clock(0);
  see::write_page(trace, {.title = name, .subtitle = to_string(trial), .about = about},
                  options.page);
  std::printf("  page: %s\n", options.page.c_str());
}

/// Prints explanations for a reader who has not seen such a failure before.
void print_notes(const Settings& settings, const Failure& failure) {
  for (const std::string& sentence : explain(settings, failure.trial))
    std::printf("  note: %s\n", sentence.c_str());
  const bool may_be_steps =
      failure.kind == Mistake::kWrongResult || failure.kind == Mistake::kPoison;
  if (may_be_steps && Watcher::instance().has_volatile_shared)
    std::printf(
        "  note: volatile does not order the threads of a warp, which do not run in step: between "
        "the steps of a warp in shared memory there must be a __syncwarp()\n");
}

}  // namespace

std::string describe(const Verdict& verdict, const std::string& name) {
  if (!verdict.failure)
    return "PASS  " + name + ": " + std::to_string(verdict.trials) +
           " calls with different sizes, patterns and schedules\n";
  const Failure& failure = *verdict.failure;
  return with_source_lines(fail_line(kMistakeNames[size_t(failure.kind)], name) + "  " +
                           to_string(failure.trial) + "\n  " + failure.text + "\n");
}

int judge_and_report(const Options& options, const std::string& name, const Function& function) {
  name_in_progress = name;
  seconds_in_progress = options.settings.seconds;
  install_handlers();
  const Verdict verdict = judge(options.settings, function, [&](const Trial& trial) {
    begin_trial(trial);
    start_clock(options.settings.seconds);
  });
  start_clock(0);
  restore_output();
  std::fputs(describe(verdict, name).c_str(), stdout);
  if (verdict.failure) print_notes(options.settings, *verdict.failure);
  if (Watcher::instance().input_lacks_const)
    std::printf("  note: the function should take its input as a pointer to const items\n");
  if (!options.page.empty()) write_page(options, name, function, verdict.failure);
  if (verdict.failure) return 1;

  Settings settings = options.settings;
  settings.host_arrays = settings.inclusive = false;
  settings.item = Item::kInteger;
  const Rung& rung =
      options.rung.empty() ? rung_beside(name, settings.task) : *find_rung(options.rung);
  const std::string costs = cost_row("n = " + std::to_string(verdict.counted_n), "launches",
                                     "barriers", "bytes read", "bytes written", "conflicts") +
                            cost_row(name, verdict.counts) +
                            cost_row(rung.name + std::string(" (rung)"),
                                     count(settings, rung.function, verdict.counted_n));
  std::fputs(costs.c_str(), stdout);
  return 0;
}

int judge_student(int argc, char** argv, void (*function)(const Arguments&)) {
  find_progress();
  keep_output();
  const int status = with_options(argc, argv, [&](const Options& options) {
    return judge_and_report(options, options.file.substr(options.file.rfind('/') + 1), function);
  });
  end_progress();
  _exit(status);  // destructors of the student's static variables are not judged
}

}  // namespace compaction::judge
