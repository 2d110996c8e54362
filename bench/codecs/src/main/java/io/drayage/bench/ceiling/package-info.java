/**
 * The {@code ceiling} command: what this machine can do, step by step, so that a system's rate can
 * be held against it.
 */
@NullMarked
package io.drayage.bench.ceiling;

import org.jspecify.annotations.NullMarked;
