package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * What a chart shows, without how it looks: Jackson writes it into the page, where a script draws
 * it in the colours of the theme. Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Chart permits BarChart, StackedChart, LineChart, DotChart {
  /** Names the chart's image; unique within a page; of letters, digits and dashes. */
  String id();

  /** Stands above it. */
  String title();

  /** Stands below it: what is shown, and where from; may be empty. */
  String note();
}
