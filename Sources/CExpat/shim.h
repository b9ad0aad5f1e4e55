// expat as Swift can use it. Nothing here decides anything.
#ifndef DAILYMETRICD_CEXPAT_H
#define DAILYMETRICD_CEXPAT_H

#include <expat.h>

#endif
