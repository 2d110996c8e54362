package io.drayage.bench.page;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * The content of a chart, without its style. It is written into the page as JSON, and a script
 * draws it in the colours of the theme. Immutable.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Chart permits BarChart, StackedChart, LineChart, DotChart, TrendChart {
  /** Names the chart's image; unique within a page; of letters, digits and dashes. */
  String id();

  /** The heading. */
  String title();

  /** The caption; may be empty. */
  String note();
}
