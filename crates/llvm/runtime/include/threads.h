/* threads.h: what C has for threads, on a device that has one.  Locks work; thrd_create and what waits for
 * another thread is declared and not defined, so a program that calls it is refused by name. */
#ifndef _BROWNOUT_THREADS_H
#define _BROWNOUT_THREADS_H
#include <sys/cdefs.h>
#include <time.h>
__BEGIN_DECLS
#ifndef __cplusplus
#define thread_local _Thread_local
#endif
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct { int __held, __kind; } mtx_t;
typedef struct { int __unused; } cnd_t;
typedef int once_flag;
typedef unsigned tss_t;
typedef void (*tss_dtor_t)(void *);
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4

void call_once(once_flag *flag, void (*function)(void));
int mtx_init(mtx_t *mutex, int kind);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *__restrict mutex, const struct timespec *__restrict until);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
void mtx_destroy(mtx_t *mutex);

int cnd_init(cnd_t *condition);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *__restrict condition, mtx_t *__restrict mutex,
                  const struct timespec *__restrict until);
void cnd_destroy(cnd_t *condition);
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
thrd_t thrd_current(void);
int thrd_detach(thrd_t thread);
int thrd_equal(thrd_t a, thrd_t b);
__BROWNOUT_NORETURN void thrd_exit(int result);
int thrd_join(thrd_t thread, int *result);
int thrd_sleep(const struct timespec *duration, struct timespec *rest);
void thrd_yield(void);
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
__END_DECLS
#endif
