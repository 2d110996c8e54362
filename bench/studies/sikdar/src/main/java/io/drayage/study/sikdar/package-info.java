/**
 * What does an object's physical form cost a system that reads, ships, sorts and aggregates? After
 * Sikdar, Teymourian and Jermaine, "An experimental comparison of complex object implementations
 * for big data systems", SoCC 2017.
 */
@NullMarked
package io.drayage.study.sikdar;

import org.jspecify.annotations.NullMarked;
