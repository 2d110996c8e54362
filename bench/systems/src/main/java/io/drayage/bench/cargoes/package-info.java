/**
 * Where the rig's cargoes come from: the study's generator, TPC-H rows, or a file.
 *
 * <p>{@link io.drayage.bench.cargoes.CargoSources} reads what the user asked for and gives a {@link
 * io.drayage.bench.cargoes.CargoSource}, which knows the tables that must exist before the commit
 * and makes the cargo. The same specification, size and seed always give the same cargo.
 */
@NullMarked
package io.drayage.bench.cargoes;

import org.jspecify.annotations.NullMarked;
