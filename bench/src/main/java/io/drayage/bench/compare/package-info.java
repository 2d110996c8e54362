/**
 * The {@code compare} command: whether one run differs from another, and whether that is for the
 * worse.
 */
@NullMarked
package io.drayage.bench.compare;

import org.jspecify.annotations.NullMarked;
