/** Commands that compare systems: {@code throughput}, {@code ladder} and {@code compare}. */
@NullMarked
package io.drayage.cli.compare;

import org.jspecify.annotations.NullMarked;
