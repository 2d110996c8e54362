/**
 * Commands that compare systems and settings: {@code throughput}, {@code ladder}, {@code tune},
 * {@code compare} and {@code report}.
 */
@NullMarked
package io.drayage.cli.compare;

import org.jspecify.annotations.NullMarked;
