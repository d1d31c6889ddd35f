#include "stickslip/scene/scene.h"
