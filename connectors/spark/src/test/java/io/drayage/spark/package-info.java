/** Spark and a database, in the processes that they have. */
@NullMarked
package io.drayage.spark;

import org.jspecify.annotations.NullMarked;
