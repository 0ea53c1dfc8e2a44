// The processor time that this thread has had, in seconds: on a shared machine, time on the wall measures the neighbours.
#pragma once
#include <time.h>

inline double clock_now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}
