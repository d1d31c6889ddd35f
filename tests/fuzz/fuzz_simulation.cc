#include "targets.h"

STICKSLIP_FUZZ(simulate)
