/** The receiving end of a shipment, and the SPI by which other pipelines than segments join it. */
@NullMarked
package io.drayage.receive;

import org.jspecify.annotations.NullMarked;
