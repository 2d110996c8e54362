/** Tests of what is known of a database. */
@NullMarked
package io.drayage.spark.database;

import org.jspecify.annotations.NullMarked;
