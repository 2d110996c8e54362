package io.drayage.bench.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One figure beside the published one, as written to JSON. A figure that was not measured or not
 * published is null.
 *
 * @param study the name of the study
 * @param experiment the name of the experiment
 * @param system the system that was measured
 * @param unit of both figures; less is better
 * @param ours the figure measured here
 * @param published the figure published
 * @param rank the place of ours, from 1; where figures or ranks were published, among the systems
 *     that have both, else among all; equal figures share the mean of their places
 * @param publishedRank the place of the published, among the systems that have both
 */
public record ComparedFigure(
    String study,
    String experiment,
    String system,
    String unit,
    @Nullable Double ours,
    @Nullable Double published,
    @Nullable Double rank,
    @Nullable Double publishedRank) {
  /** Returns our figure over the published one. */
  @JsonProperty
  public @Nullable Double ratio() {
    return ours == null || published == null ? null : (Double) (ours / published);
  }
}
