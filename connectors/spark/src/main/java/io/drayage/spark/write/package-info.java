/** Tasks of Spark send fragments of one transaction, which the driver commits. */
@NullMarked
package io.drayage.spark.write;

import org.jspecify.annotations.NullMarked;
