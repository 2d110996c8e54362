/**
 * One self-contained page: a verdict, charts and tables in a single HTML file that needs no
 * network.
 *
 * <pre>{@code
 * Page page = new Page("Drayage profile").subtitle("netty:raw+none@2, 1 GB over loopback");
 * page.verdict("the copy to the socket takes 41 % of the processor time", Tone.PLAIN);
 * page.fact("samples", "12,310", "cpu, every 1 ms");
 *
 * Section suspects = page.section("Suspects");
 * suspects.text("Share of the samples of both processes.");
 * suspects.chart(
 *     BarChart.of("suspects", "Suspects", Axis.of("share of the samples", Unit.PERCENT))
 *         .note("cpu samples, kernel frames included")
 *         .bar(Bar.of("socket write", 41.2, "41 %").tone(BarTone.BEST)));
 * suspects.table(
 *     new Table("Suspects").text("suspect").number("samples").number("share", "%")
 *         .row(Cell.text("socket write"), Cell.number(5071, "5,071"), Cell.number(41.2, "41.2").bar(0.412)));
 *
 * Section graphs = page.section("Flame graphs");
 * graphs.link("flame-cpu.html", "cpu", "in a page of its own");
 * graphs.frame("cpu", "flame-cpu.html");   // a file beside the page, shown within it
 *
 * page.writeTo(folder.resolve("report.html"));
 * }</pre>
 *
 * <p>Everything that is given as text is escaped, so it may come from anywhere; only {@link
 * io.drayage.bench.page.Section#html} takes markup. The styles, the script and Chart.js are
 * embedded; a content security policy keeps the page from loading anything else but files beside it
 * into frames. It is light or dark as the system is, with a button; its tables are sorted by a
 * click on a heading and copied as CSV or TSV; its charts follow the width of the screen, down to a
 * phone's.
 */
@NullMarked
package io.drayage.bench.page;

import org.jspecify.annotations.NullMarked;
