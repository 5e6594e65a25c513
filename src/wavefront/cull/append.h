#pragma once

// --cull append: the shading stage itself lists the slots that go on, block by block with one
// atomic each. Their order is lost. There is nothing left to run: backend/for_each.h, ForEachPush.
