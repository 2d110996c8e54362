/**
 * Events for JDK Flight Recorder. While no recording wants them they cost a check each; they need
 * the JDK's module {@code jdk.jfr}.
 */
@NullMarked
package io.drayage.metrics.event;

import org.jspecify.annotations.NullMarked;
