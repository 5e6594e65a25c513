#pragma once

// --cull none: nothing is culled. The stages pass over the entries of paths that have ended, by
// their bit in WorkQueue::alive; a warp without a living one returns at once. What culling is
// measured against. There is nothing to run.
