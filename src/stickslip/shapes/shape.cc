#include "stickslip/shapes/shape.h"
