/* brownout.h: what a program may tell brownout about itself.
 *
 * The tool compiles with -D__BROWNOUT__.  Everywhere else (the device's own
 * build, another compiler, a unit test on the desk) each annotation expands to
 * nothing and each call to ((void)0), so one source file serves all of them.
 */
#ifndef BROWNOUT_H
#define BROWNOUT_H

/* Annotations. */

#if defined(__BROWNOUT__) && defined(__clang__)
#define BROWNOUT__SAY(what) __attribute__((annotate(what)))
#else
#define BROWNOUT__SAY(what)
#endif

/* On a variable: it lives in non-volatile memory. */
#define BROWNOUT_NV BROWNOUT__SAY("brownout:nv")

/* On a function: each call reads something from the outside world. */
#define BROWNOUT_INPUT BROWNOUT__SAY("brownout:input")
/* The same, for readings that are never below `low` nor above `high`. */
#define BROWNOUT_INPUT_RANGE(low, high) BROWNOUT__SAY("brownout:input:" #low ".." #high)
/* The same, for the time since the device has booted, which never goes back. */
#define BROWNOUT_CLOCK BROWNOUT__SAY("brownout:input:clock")

/* On a function: each call acts on the outside world.  The argument is
 * `relative` (doing it twice differs from doing it once: turn by 30 degrees),
 * `absolute` (doing it twice is doing it once: turn to 30 degrees),
 * `at_most_once` (it must not be done twice) or empty: then only its behaviour
 * is told. */
#define BROWNOUT_OUTPUT(kind) BROWNOUT__SAY(BROWNOUT__OUTPUT_##kind)
#define BROWNOUT__OUTPUT_ "brownout:output"
#define BROWNOUT__OUTPUT_absolute "brownout:output:absolute"
#define BROWNOUT__OUTPUT_relative "brownout:output:relative"
#define BROWNOUT__OUTPUT_at_most_once "brownout:output:at_most_once"

/* On a variable: what the program expects of an input kept in it. */
#define BROWNOUT_MOST_RECENT BROWNOUT__SAY("brownout:most-recent")
#define BROWNOUT_LONG_TERM BROWNOUT__SAY("brownout:long-term")
#define BROWNOUT_INTERMITTENCE_AWARE BROWNOUT__SAY("brownout:intermittence-aware")

/* On a variable: the notebook of a test, such as what was acknowledged to a
 * user.  It survives power failures, and power never fails while it is written. */
#define BROWNOUT_GHOST BROWNOUT__SAY("brownout:ghost")

/* Calls. */

#ifdef __BROWNOUT__

#ifdef __cplusplus
extern "C" {
#endif
void brownout_checkpoint(void);
void __brownout_checkpoint_with(int pairs, ...);
void brownout_atomic_begin(void);
void brownout_atomic_end(void);
/* Operations of a flash part: `size` bytes at `to` are programmed, or erased.
 * What `to` points into is described by [[flash]]; elsewhere they are a copy and
 * a fill with 0xff that power can interrupt. */
void brownout_flash_program(void *to, const void *from, unsigned long size);
void brownout_flash_erase(void *to, unsigned long size);
#ifdef __cplusplus
}
#endif

/* brownout_checkpoint_with(pointer, size, ...): one to eight pairs.  An odd
 * number of arguments names a function that does not exist, on purpose. */
#define brownout_checkpoint_with(...)                                          \
    BROWNOUT__PICK(__VA_ARGS__, BROWNOUT__W8, BROWNOUT__ODD, BROWNOUT__W7,     \
                   BROWNOUT__ODD, BROWNOUT__W6, BROWNOUT__ODD, BROWNOUT__W5,   \
                   BROWNOUT__ODD, BROWNOUT__W4, BROWNOUT__ODD, BROWNOUT__W3,   \
                   BROWNOUT__ODD, BROWNOUT__W2, BROWNOUT__ODD, BROWNOUT__W1,   \
                   BROWNOUT__ODD, 0)                                           \
    (__VA_ARGS__)
#define BROWNOUT__PICK(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, \
                       a14, a15, a16, chosen, ...) chosen
#define BROWNOUT__ODD(...) brownout_checkpoint_with_takes_pointer_and_size_pairs()

#define BROWNOUT__P(p, n) (const void *)(p), (unsigned long)(n)
#define BROWNOUT__P2(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P(__VA_ARGS__)
#define BROWNOUT__P3(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P2(__VA_ARGS__)
#define BROWNOUT__P4(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P3(__VA_ARGS__)
#define BROWNOUT__P5(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P4(__VA_ARGS__)
#define BROWNOUT__P6(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P5(__VA_ARGS__)
#define BROWNOUT__P7(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P6(__VA_ARGS__)
#define BROWNOUT__P8(p, n, ...) BROWNOUT__P(p, n), BROWNOUT__P7(__VA_ARGS__)
#define BROWNOUT__W1(...) __brownout_checkpoint_with(1, BROWNOUT__P(__VA_ARGS__))
#define BROWNOUT__W2(...) __brownout_checkpoint_with(2, BROWNOUT__P2(__VA_ARGS__))
#define BROWNOUT__W3(...) __brownout_checkpoint_with(3, BROWNOUT__P3(__VA_ARGS__))
#define BROWNOUT__W4(...) __brownout_checkpoint_with(4, BROWNOUT__P4(__VA_ARGS__))
#define BROWNOUT__W5(...) __brownout_checkpoint_with(5, BROWNOUT__P5(__VA_ARGS__))
#define BROWNOUT__W6(...) __brownout_checkpoint_with(6, BROWNOUT__P6(__VA_ARGS__))
#define BROWNOUT__W7(...) __brownout_checkpoint_with(7, BROWNOUT__P7(__VA_ARGS__))
#define BROWNOUT__W8(...) __brownout_checkpoint_with(8, BROWNOUT__P8(__VA_ARGS__))

#else /* any other build */

#define brownout_checkpoint() ((void)0)
#define brownout_checkpoint_with(...) ((void)0)
#define brownout_atomic_begin() ((void)0)
#define brownout_atomic_end() ((void)0)
#define brownout_flash_program(to, from, size) ((void)__builtin_memcpy((to), (from), (size)))
#define brownout_flash_erase(to, size) ((void)__builtin_memset((to), 0xff, (size)))

#endif
#endif
