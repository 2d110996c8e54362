package io.drayage.bench.ladder;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.drayage.bench.result.Run;

/**
 * One measured iteration, or one that failed. Jackson writes it as a run with one more field.
 *
 * @param group the number of the group in which it ran, from 1
 * @param run the run; its system is the rung's name
 */
record RungRun(int group, @JsonUnwrapped Run run) {}
