#include "targets.h"

STICKSLIP_FUZZ(read_ply)
