/** The cluster as one JVM of Spark uses it: options, session, what tables there are, types. */
@NullMarked
package io.drayage.spark.database;

import org.jspecify.annotations.NullMarked;
