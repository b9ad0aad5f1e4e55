// Tells ThreadSanitizer of Swift's Mutex. scripts/sanitize.sh builds this and has it loaded before the program.
//
// A Mutex that is free is taken by an atomic instruction in the program itself, which ThreadSanitizer sees. One that is held is waited
// for in libswiftSynchronization, which was not built for ThreadSanitizer: there the kernel hands it over (FUTEX_LOCK_PI), and all that
// two threads do under the lock then looks like a race. So the three functions of that library are followed, or preceded, by a word.
// Nothing else is hidden: what is touched without the lock is still found.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Of ThreadSanitizer's runtime; a program that was not built for it, such as psql, has none.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  original(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
  SWIFT bool (*original)(SELF) = dlsym(RTLD_NEXT, TRY);
  bool is_locked = original(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  original(self);
}
