#pragma once

// --cull auto: append.h, but only in the rounds where it pays. The device decides: cull_policy.h.
