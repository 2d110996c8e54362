package io.drayage.bench.plan;

import java.util.Map;

/**
 * What the model says of one system.
 *
 * @param seconds of S+Q
 * @param binds the part that takes the longest
 * @param boundsS what each part takes, in seconds, by its name
 */
record Prediction(double seconds, String binds, Map<String, Double> boundsS) {}
