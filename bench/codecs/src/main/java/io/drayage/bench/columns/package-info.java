/**
 * {@code drayage columns}: what each codec makes of each column of a cargo or folder. A {@link
 * io.drayage.bench.columns.ColumnSample} is what is measured, a {@link
 * io.drayage.bench.columns.Candidate} what with.
 */
@NullMarked
package io.drayage.bench.columns;

import org.jspecify.annotations.NullMarked;
