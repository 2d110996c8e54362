/**
 * {@code drayage cargo analyze}: what the columnar codec makes of each column of a cargo, beside
 * general compressors. A {@link io.drayage.bench.analyze.ColumnSample} is what is measured, a
 * {@link io.drayage.bench.analyze.Candidate} what with.
 */
@NullMarked
package io.drayage.bench.analyze;

import org.jspecify.annotations.NullMarked;
