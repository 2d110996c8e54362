/** Objects in an S3 bucket. */
@NullMarked
package io.drayage.objectstore.s3;

import org.jspecify.annotations.NullMarked;
