package io.drayage.bench.child;

/**
 * One figure of a study: a line of JSON on its process's standard output. Less is better.
 *
 * @param experiment the experiment; parts of the name are separated by slashes
 * @param system the system that was measured
 */
public record StudyFigure(String experiment, String system, String unit, double value) {}
