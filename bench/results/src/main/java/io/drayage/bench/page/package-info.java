/**
 * One self-contained page: a verdict, charts and tables in a single HTML file that needs no
 * network.
 *
 * <pre>{@code
 * Page page = new Page("Drayage profile").subtitle("netty:raw+none@2, 1 GB over loopback");
 * page.verdict("the copy to the socket takes 41 % of the processor time", Tone.PLAIN);
 *
 * Section suspects = page.section("Suspects");
 * suspects.chart(
 *     new BarChart("suspects", "Suspects", "cpu samples, kernel frames included",
 *         Axis.of("share of the samples", Unit.PERCENT),
 *         List.of(Bar.of("socket write", 41.2, "41 %", BarTone.BEST))));
 * suspects.table(table);                   // see io.drayage.bench.table
 * page.section("Flame graphs").frame("cpu", "flame-cpu.html");
 *
 * page.writeTo(folder.resolve("report.html"));
 * }</pre>
 *
 * <p>All markup is in {@code page.html}. Text is escaped, so it may come from anywhere. The styles,
 * the script and Chart.js are embedded. A content security policy allows the page to load only
 * files beside it, into frames. The page is light or dark like the system, and has a button for
 * this. A click on a heading sorts a table, which can be copied as CSV or TSV. Charts fit the width
 * of the screen, also on a phone.
 */
@NullMarked
package io.drayage.bench.page;

import org.jspecify.annotations.NullMarked;
