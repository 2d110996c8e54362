/** Spark's catalog of a Drayage database, and its tables. */
@NullMarked
package io.drayage.spark;

import org.jspecify.annotations.NullMarked;
