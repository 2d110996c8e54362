/** How rows of Spark become fragments. */
@NullMarked
package io.drayage.spark.write;

import org.jspecify.annotations.NullMarked;
