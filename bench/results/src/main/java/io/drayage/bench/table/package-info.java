/**
 * Tables as data: columns over rows of values, built once and rendered for a terminal, as HTML by
 * {@link io.drayage.bench.page} and as CSV.
 *
 * <pre>{@code
 * Table table =
 *     Table.of("Systems", summaries)
 *         .text("system", Summary::system)
 *         .spread("S+Q", Format.SECONDS, Summary::sqMedianS, Summary::sqMinS, Summary::sqMaxS)
 *         .number("commit", Format.SECONDS, Summary::commitMedianS)
 *         .number("payload", Format.MEGABYTES_PER_SECOND, summary -> summary.figures().rawMBps())
 *         .number("ratio", Format.RATIO, Summary::ratio).on(Medium.PAGE)
 *         .tone(summary -> summary.system().equals(best) ? Tone.GOOD : Tone.PLAIN)
 *         .note("S+Q, commit: medians")
 *         .build();
 * table.toText().forEach(out::println);
 * section.table(table);
 * }</pre>
 */
@NullMarked
package io.drayage.bench.table;

import org.jspecify.annotations.NullMarked;
