/**
 * The parallel pipeline: a cargo is cut into independent segments, which codec threads encode on
 * the worker and decode on the transactor, into their final place.
 */
@NullMarked
package io.drayage.pipeline.segments;

import org.jspecify.annotations.NullMarked;
