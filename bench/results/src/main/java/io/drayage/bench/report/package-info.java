/**
 * Reports of throughput and ladder: {@link io.drayage.bench.report.ReportRun} reads a result,
 * {@link io.drayage.bench.report.Report} makes a page of one or several, {@link
 * io.drayage.bench.report.FinishedRun} fills the folder of a run.
 */
@NullMarked
package io.drayage.bench.report;

import org.jspecify.annotations.NullMarked;
