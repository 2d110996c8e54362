/** Tests of reading. */
@NullMarked
package io.drayage.spark.read;

import org.jspecify.annotations.NullMarked;
