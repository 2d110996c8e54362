/** Spark reads a snapshot. */
@NullMarked
package io.drayage.spark.read;

import org.jspecify.annotations.NullMarked;
