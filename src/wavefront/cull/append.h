#pragma once

// --cull append: the shading stage itself writes the state of the paths that go on, which it has to
// write in any case, side by side into the other columns, block by block with one atomic each.
// Their order is lost. There is nothing left to run: backend/for_each.h, ForEachPush.
