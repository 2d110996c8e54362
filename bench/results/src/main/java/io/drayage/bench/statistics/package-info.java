/** Medians, intervals and tests of measured times, on Commons Statistics. */
@NullMarked
package io.drayage.bench.statistics;

import org.jspecify.annotations.NullMarked;
