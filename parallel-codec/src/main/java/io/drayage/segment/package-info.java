/**
 * The units of the parallel pipeline: a {@link io.drayage.segment.Manifest} that states the shape
 * of a cargo, and the independent {@link io.drayage.segment.Segment}s that it is cut into.
 *
 * <p>SPI: for authors of transports and codecs; programs that embed the library use {@link
 * io.drayage.segment.SegmentPlanner} and {@link io.drayage.segment.Manifest} of it.
 */
@NullMarked
package io.drayage.segment;

import org.jspecify.annotations.NullMarked;
