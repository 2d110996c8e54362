package io.drayage.bench.columns;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.SegmentPlanner;
import java.util.UUID;

/** Columns for measurements. */
final class SampleColumns {
  private SampleColumns() {}

  /** Makes a column in segments of 4 KiB, all of them or as many as stay below a limit. */
  static ColumnSample of(String name, ColumnValues values, long maxBytes) throws ShipmentException {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table("t", changes -> changes.insert(name, values))
            .build();
    Manifest manifest = new SegmentPlanner(SegmentPlanner.MIN_SEGMENT_BYTES).plan(cargo);
    return ColumnSample.of(
        name,
        manifest.parts().get(0),
        CargoAssembler.contentsOf(cargo).get(0),
        manifest.segments(),
        maxBytes);
  }
}
