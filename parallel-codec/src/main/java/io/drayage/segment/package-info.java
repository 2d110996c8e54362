/**
 * The units of the parallel pipeline: a {@link io.drayage.segment.Manifest} states the shape of a
 * cargo, and the cargo is cut into independent {@link io.drayage.segment.Segment}s.
 *
 * <p>SPI: for authors of transports and codecs. Programs that embed the library use only {@link
 * io.drayage.segment.SegmentPlanner} and {@link io.drayage.segment.Manifest}.
 */
@NullMarked
package io.drayage.segment;

import org.jspecify.annotations.NullMarked;
